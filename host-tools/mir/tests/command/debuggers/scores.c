int work(int n, int k), (*volatile again)(int, int) = work;
static int half(int x) {
    int h = x / 2; return h;
}
int work(int n, int k) {
    int total = k;
    double scale = 1.5;
    for (int i = 0; i < n; i++) {
        int t = i * k;
        total += t;
        if (total > 50)
            total -= half(t);
        scale += total;
    }
    return total + (int)scale + (n > 1 ? again(n / 4, k) : 0);
}
int main(void) {
    return again(12, 7) & 127;
}

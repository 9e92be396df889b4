static int half(int x) {
    int h = x / 2;
    return h;
}
__attribute__((noinline)) int work(int n, int k) {
    int total = k;
    double scale = 1.5;
    for (int i = 0; i < n; i++) {
        int t = i * k;
        total += t;
        if (total > 50)
            total -= half(t);
        scale += total;
    }
    return total + (int)scale + (n > 1 ? work(n / 4, k) : 0);
}
int main(void) {
    return work(12, 7) & 127;
}

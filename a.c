struct s { unsigned char b, c; unsigned short h; int i; long l; struct s *n; unsigned flags; };
int f1(struct s *p){ return p->b == 7 ? p->i : 3*p->i+1; }
void g(struct s*);
void f2(struct s *p){ if (p->flags & 0x40) g(p); }
void f3(struct s *p){ if (p->b & 0x4) g(p); p->i++; p->l += 5; p->h++; p->flags |= 0x80; p->flags &= ~1; }
void f4(struct s *p){ if (p->n) g(p); if(p->i==0) g(p); if (p->h==0) g(p); if (p->c > 12) g(p); if (p->l <0) g(p);}
int f5(const char*a,const char*b){ while(*a && *a==*b) a++,b++; return *a-*b; }
long f6(long n){ long s=0; while(n){ s+=n&1; n>>=1;} return s; }
int f7(int x,int y){ if ((x&y)==0) return 5*x; return x-y<0 ? x*7: y; }
unsigned f8(unsigned char *p, int n){ unsigned c=0; do { c = (c<<1)^*p++; } while(--n); return c; }

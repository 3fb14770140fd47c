// Recursion with a choice in each frame: every waiting state has a long list of decisions.
// limits: --max-time 10
extern int __VERIFIER_nondet_int(void);
int walk(int d) {
    int n = 0;
    while (__VERIFIER_nondet_int() > d) n++;
    return walk(d + 1) + n;
}
int main(void) { return walk(0); }

// One thread adds up everything.
__global__ void add_up(const float *x, float *sum, int n)
{
    float all = 0;
    for (int i = 0; i < n; i++)
        all += x[i];
    *sum = all;
}

extern "C" void solution(const float *x, float *sum, int n)
{
    add_up<<<1, 1>>>(x, sum, n);
}

package numfmt

import (
	"math"
	"testing"
	"time"

	"github.com/afterstate2048/afterstate/internal/must"
)

func TestGroup(t *testing.T) {
	for number, want := range map[string]string{
		"": "", "0": "0", "-0": "-0", "12": "12", "999": "999", "1000": "1,000", "-999": "-999", "-1000": "-1,000",
		"123456": "123,456", "3932100": "3,932,100", "0.5": "0.5", "1234.5678": "1,234.5678", "-1234567.25": "-1,234,567.25",
	} {
		must.Equal(t, Group(number), want, number)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 1000: "1,000", -123456: "-123,456", -1 << 63: "-9,223,372,036,854,775,808"} {
		must.Equal(t, Int(n), want, n)
	}
	for n, want := range map[int]string{0: "0 cores", 1: "1 core", 2: "2 cores", 1024: "1,024 cores"} {
		must.Equal(t, Count(n, "core", "cores"), want, n, "cores")
	}
	for x, want := range map[float64]string{0: "0", 999.4: "999", 2.5: "3", 999.6: "1,000", -1234.2: "-1,234", 1e15: "1,000,000,000,000,000"} {
		must.Equal(t, Rounded(x), want, x)
	}
	for x, want := range map[float64]string{0: "0", 0.01234: "0.0123", 12.345: "12.3", 123.4: "123", 999.4: "999", 1000: "1000", 15234.5: "15234"} {
		must.Equal(t, Rate(x), want, x)
	}
}

func TestFactor(t *testing.T) {
	must.Equal(t, Factor(1.234)+" "+Factor(math.NaN()), "1.23 -")
}

func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "1s", 400 * time.Millisecond: "1s", 12345 * time.Millisecond: "12s", 33 * time.Second: "35s", 59 * time.Second: "1m", 80 * time.Second: "1m20s",
		207 * time.Second: "3m30s", 20*time.Minute + 12*time.Second: "20m", 2*time.Hour + 11*time.Minute: "2h10m", 100*time.Hour + time.Minute: "100h",
	} {
		must.Equal(t, About(d), want, d)
	}
}

func TestShares(t *testing.T) {
	for got, want := range map[string]string{
		Share(0.935): "93.5 %", Share(0.0): "0.0 %", Share(math.NaN()): "-", Shares(0.892, 1): "[89.2, 100.0]",
		Value(312.456): "312.46", Value(-7): "-7", Value(0.0123): "0.012", Short(123456.7): "123457", Short(1234.56): "1234.6", Short(0.5): "0.5000",
		Percent(0.666): "67%",
	} {
		must.Equal(t, got, want, "text")
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		4200: "4.20 us", 42 * time.Microsecond: "42 us", 1234 * time.Microsecond: "1.2 ms", 345 * time.Millisecond: "0.34 s", 95 * time.Second: "95 s",
	} {
		must.Equal(t, Duration(d), want, d)
	}
}

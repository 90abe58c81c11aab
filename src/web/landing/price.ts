const whole = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 0 });
const withPaise = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', minimumFractionDigits: 2 });

/** Rupees as people in India write them: ₹499, ₹1,499.50, ₹1,00,000. Latin figures in both languages. */
export function formatRupees(rupees: number): string {
	return (Number.isInteger(rupees) ? whole : withPaise).format(rupees);
}

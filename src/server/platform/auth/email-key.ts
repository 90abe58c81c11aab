/** The form in which addresses are compared: two spellings of one address, full-width letters too, are one person. */
export function emailKeyOf(email: string): string {
	return email.trim().normalize('NFKC').toLowerCase();
}

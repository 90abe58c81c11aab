/** Returns the form in which emails are compared: spellings of one email, also full-width ones, are one user. */
export function emailKeyOf(email: string): string {
	return email.trim().normalize('NFKC').toLowerCase();
}

/** Status of a visitor's request for the current user; Chromium reports every refused request as an error. */
export const asked = 401;
export const owner = 'rohan@folio.example';
export const member = 'asha.verma@example.com';

/** Presses the first button with this label. */
export function press(key, values) {
	return async (page, say) => {
		await page
			.getByRole('button', { name: say(key, values), exact: true })
			.first()
			.click();
	};
}

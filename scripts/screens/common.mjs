/** Who one is, asked by a visitor: refused, and Chromium reports every refused call as an error. */
export const asked = 401;
export const owner = 'rohan@folio.example';
export const member = 'asha.verma@example.com';

/** Presses the first button of these words. */
export function press(key, values) {
	return async (page, say) => {
		await page
			.getByRole('button', { name: say(key, values), exact: true })
			.first()
			.click();
	};
}

/**
 * Anything but blanks and signs that show nothing: control and format signs, fillers, and what is a letter or a mark to
 * the rules of writing and nothing to the eye.
 */
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is anything to see in a text. */
export function isVisible(text: string): boolean {
	return visible.test(text);
}

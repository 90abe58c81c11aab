/** On sections that the styles lay out only near the screen. */
const later = 'laid-out-later';

/**
 * Lays out what stands below the first screen, a section at a time when nothing else is to be done: all at once would
 * hold a cheap phone up while somebody may be touching it. Waits for the faces, or each section would be laid out twice.
 */
export async function layOutTheRest(): Promise<void> {
	layOutBeforeJumps();
	if (document.readyState !== 'complete') await new Promise((loaded) => addEventListener('load', loaded));
	await document.fonts.ready;
	for (const section of document.querySelectorAll(`.${later}`)) {
		await idle();
		section.classList.remove(later);
	}
}

/** A press or a key may lead far down: what lies on the way gets its true height first, so that nothing moves afterwards. */
function layOutBeforeJumps(): void {
	const once = { capture: true, once: true };
	for (const kind of ['click', 'keydown']) addEventListener(kind, layOutAll, once);
}

function layOutAll(): void {
	for (const section of document.querySelectorAll(`.${later}`)) section.classList.remove(later);
}

/** Safari has no idle callbacks. */
function idle(): Promise<unknown> {
	return new Promise((resolve) =>
		'requestIdleCallback' in globalThis ? requestIdleCallback(resolve) : setTimeout(resolve, 50),
	);
}

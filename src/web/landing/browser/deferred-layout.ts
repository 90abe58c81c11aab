/** On sections that the styles lay out only near the screen. */
const deferredClass = 'laid-out-later';

/**
 * Lays out what stands below the first screen, a section at a time when nothing else is to be done: all at once would
 * hold a cheap phone up while somebody may be touching it. Waits for the faces, or each section would be laid out twice.
 */
export async function layOutDeferredSections(): Promise<void> {
	layOutOnFirstInput();
	if (document.readyState !== 'complete') await new Promise((loaded) => addEventListener('load', loaded));
	await document.fonts.ready;
	for (const section of document.querySelectorAll(`.${deferredClass}`)) {
		await waitForIdle();
		section.classList.remove(deferredClass);
	}
}

/** A press or a key may lead far down: what lies on the way gets its true height first, so that nothing moves afterwards. */
function layOutOnFirstInput(): void {
	const once = { capture: true, once: true };
	for (const kind of ['click', 'keydown']) addEventListener(kind, layOutNow, once);
}

function layOutNow(): void {
	for (const section of document.querySelectorAll(`.${deferredClass}`)) section.classList.remove(deferredClass);
}

/** Safari has no idle callbacks. */
function waitForIdle(): Promise<unknown> {
	return new Promise((resolve) =>
		'requestIdleCallback' in globalThis ? requestIdleCallback(resolve) : setTimeout(resolve, 50),
	);
}

/** On sections that the styles lay out only near the screen. */
const deferredClass = 'laid-out-later';

/**
 * Lays out the sections below the first screen, one at a time when the browser is idle: all at once would block a cheap
 * phone while it may be touched. Waits for the fonts, or each section would be laid out twice. A press or a key may
 * scroll far down: then the sections on the way get their true height first, so that nothing moves afterwards.
 */
export async function layOutDeferredSections(): Promise<void> {
	const sections = [...document.querySelectorAll(`.${deferredClass}`)];
	const layOut = (section: Element) => section.classList.remove(deferredClass);
	for (const kind of ['click', 'keydown'])
		addEventListener(kind, () => sections.forEach(layOut), { capture: true, once: true });
	if (document.readyState !== 'complete') await new Promise((loaded) => addEventListener('load', loaded));
	await document.fonts.ready;
	for (const section of sections) {
		await waitForIdle();
		layOut(section);
	}
}

/** Safari has no idle callbacks. */
function waitForIdle(): Promise<unknown> {
	return new Promise((resolve) =>
		'requestIdleCallback' in globalThis ? requestIdleCallback(resolve) : setTimeout(resolve, 50),
	);
}

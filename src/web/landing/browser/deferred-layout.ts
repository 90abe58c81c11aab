/** Class of sections that the browser lays out only near the viewport (`content-visibility`). */
const deferredClass = 'laid-out-later';

/**
 * Lays out the sections below the first screen, one at a time when the browser is idle; all at once would block input
 * on a slow phone. Waits for the fonts, because each section would otherwise be laid out twice. At the first click or
 * key, which may scroll far down, all sections are laid out, so that their heights do not change while scrolling.
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

/** Uses a timeout in Safari, which has no `requestIdleCallback`. */
function waitForIdle(): Promise<unknown> {
	return new Promise((resolve) =>
		'requestIdleCallback' in globalThis ? requestIdleCallback(resolve) : setTimeout(resolve, 50),
	);
}

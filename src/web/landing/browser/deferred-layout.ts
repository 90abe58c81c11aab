/** Sections with this class have `content-visibility: auto`. */
const deferredClass = 'laid-out-later';

/**
 * Lays out the sections below the first screen one at a time when the browser is idle: one large layout would block
 * input on a slow phone. The first click or key lays out all sections, because their heights must not change while the
 * page scrolls.
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

/** Safari has no `requestIdleCallback`. */
function waitForIdle(): Promise<unknown> {
	return new Promise((resolve) =>
		'requestIdleCallback' in globalThis ? requestIdleCallback(resolve) : setTimeout(resolve, 50),
	);
}

const maxTiltDegrees = 4;

export function tiltBooks(): void {
	const stage = document.querySelector<HTMLElement>('.hero');
	const books = document.querySelector<HTMLElement>('.books-stage');
	const isEnabled =
		matchMedia('(hover: hover) and (pointer: fine)').matches && !matchMedia('(prefers-reduced-motion: reduce)').matches;
	if (!stage || !books || !isEnabled) return;
	stage.addEventListener('pointermove', (event) => {
		const box = books.getBoundingClientRect();
		const offset = (event.clientX - box.left - box.width / 2) / window.innerWidth;
		books.style.setProperty('--turn', `${(Math.max(-1, Math.min(1, offset * 2)) * maxTiltDegrees).toFixed(2)}deg`);
	});
	stage.addEventListener('pointerleave', () => books.style.setProperty('--turn', '0deg'));
}

/** Closes the menu after a click on a link or outside the menu, or after Escape. */
export function closeMenuAfterUse(): void {
	const menu = document.querySelector<HTMLDetailsElement>('details.menu');
	if (!menu) return;
	document.addEventListener('click', (event) => {
		const target = event.target instanceof Element ? event.target : null;
		if (!menu.contains(target) || target?.closest('a')) menu.open = false;
	});
	menu.addEventListener('keydown', (event) => {
		if (event.key !== 'Escape') return;
		menu.open = false;
		menu.querySelector('summary')?.focus();
	});
}

/**
 * Lays out the sections below the first screen one at a time when the browser is idle: one large layout would block
 * input on a slow phone. The first click or key lays out all sections, because their heights must not change while the
 * page scrolls.
 */
export async function layOutDeferredSections(): Promise<void> {
	// The class sets `content-visibility: auto`.
	const sections = [...document.querySelectorAll('.laid-out-later')];
	const layOut = (section: Element) => section.classList.remove('laid-out-later');
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

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

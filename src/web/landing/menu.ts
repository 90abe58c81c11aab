/** Folds the small screen's menu away after a choice, a press beside it, or Escape. */
export function foldMenuAway(): void {
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

/**
 * Opens an excerpt as a modal dialog when a link is pressed, or at once if the URL has its fragment. The browser's Back
 * closes it.
 */
export function openExcerptsAsDialogs(): void {
	const dialogs = [...document.querySelectorAll<HTMLDialogElement>('dialog.excerpt')];

	const showDialogOfHash = () => {
		for (const dialog of dialogs) {
			if (location.hash === `#${dialog.id}`) showDialog(dialog);
			else dialog.close();
		}
	};
	window.addEventListener('popstate', showDialogOfHash);

	for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-excerpt]')) {
		link.addEventListener('click', (event) => {
			const target = dialogs.find((dialog) => dialog.id === link.dataset.excerpt);
			if (!target || event.metaKey || event.ctrlKey || event.shiftKey) return;
			event.preventDefault();
			const isFirst = !dialogs.some((dialog) => dialog.open);
			history[isFirst ? 'pushState' : 'replaceState'](history.state, '', `#${target.id}`);
			showDialogOfHash();
		});
	}

	for (const dialog of dialogs) {
		for (const control of dialog.querySelectorAll('[data-close]')) {
			control.addEventListener('click', () => dialog.close());
		}
		dialog.addEventListener('click', (event) => {
			if (event.target === dialog) dialog.close();
		});
		dialog.addEventListener('close', clearExcerptHash);
	}
	showDialogOfHash();
}

function showDialog(dialog: HTMLDialogElement): void {
	if (!dialog.open) dialog.showModal();
	dialog.querySelector('.excerpt-page')?.scrollTo(0, 0);
	dialog.querySelector<HTMLElement>('button[data-close]')?.focus();
}

/** Otherwise a reload would open the dialog again. */
function clearExcerptHash(): void {
	if (location.hash.startsWith('#excerpt-') && !document.querySelector('dialog.excerpt[open]')) {
		history.replaceState(history.state, '', '#read');
	}
}

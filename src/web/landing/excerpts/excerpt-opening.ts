/** Opens an excerpt as a modal dialog when a link is pressed, or at once if the URL has its fragment. */
export function openExcerptsAsDialogs(): void {
	const dialogs = [...document.querySelectorAll<HTMLDialogElement>('dialog.excerpt')];

	for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-excerpt]')) {
		link.addEventListener('click', (event) => {
			const target = dialogs.find((dialog) => dialog.id === link.dataset.excerpt);
			if (!target || event.metaKey || event.ctrlKey || event.shiftKey) return;
			event.preventDefault();
			for (const dialog of dialogs) if (dialog !== target) dialog.close();
			showDialog(target);
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
		if (location.hash === `#${dialog.id}`) showDialog(dialog);
	}
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

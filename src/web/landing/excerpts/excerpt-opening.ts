/**
 * Opens the excerpts as modal dialogs: from their links, and at once when the address already names one. Focus starts
 * on Close and goes back to where it was; Escape, the ground beside the page and the links inside close it.
 */
export function openExcerptsAsDialogs(): void {
	const dialogs = [...document.querySelectorAll<HTMLDialogElement>('dialog.excerpt')];

	for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-excerpt]')) {
		link.addEventListener('click', (event) => {
			const wanted = dialogs.find((dialog) => dialog.id === link.dataset.excerpt);
			if (!wanted || event.metaKey || event.ctrlKey || event.shiftKey) return;
			event.preventDefault();
			for (const dialog of dialogs) if (dialog !== wanted) dialog.close();
			showDialog(wanted);
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

/** The target rule shows a dialog without script; once the address names it no longer, a closed dialog is gone. */
function clearExcerptHash(): void {
	if (location.hash.startsWith('#excerpt-') && !document.querySelector('dialog.excerpt[open]')) {
		history.replaceState(history.state, '', '#read');
	}
}

import { type ComponentType, useEffect, useState } from 'react';
import { m } from '#messages';
import { toastError } from '#web/platform/browser/toasts.ts';

interface Closable {
	onClose: () => void;
}

/**
 * A dialog whose scripts are loaded when it is first opened. If they cannot be loaded, the dialog closes with a toast, so
 * that the screen keeps what was typed.
 */
export function dialogOnDemand<Name extends string, Props extends Closable>(
	load: () => Promise<Record<Name, ComponentType<Props>>>,
	name: Name,
): ComponentType<Props> {
	let loaded: ComponentType<Props> | undefined;
	return function DialogOnDemand(props: Props) {
		const [Dialog, setDialog] = useState(() => loaded);
		// biome-ignore lint/correctness/useExhaustiveDependencies: loads once.
		useEffect(() => {
			if (loaded !== undefined) return;
			let isOpen = true;
			load().then(
				(file) => {
					loaded = file[name];
					if (isOpen) setDialog(() => loaded);
				},
				() => {
					// Another dialog may be open by now.
					if (!isOpen) return;
					toastError(m.common_offline());
					props.onClose();
				},
			);
			return () => {
				isOpen = false;
			};
		}, []);
		return Dialog === undefined ? null : <Dialog {...props} />;
	};
}

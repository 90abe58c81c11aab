import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { m } from '#messages';
import { createSharedValue } from '#web/platform/events/emitter.ts';
import { isControlledByServiceWorker } from '#web/platform/offline/service-worker-registration.ts';
import { useReturnFocus } from '../hooks/focus.ts';
import { useEscape } from '../hooks/use-escape.ts';
import { BrandLogo } from '../illustrations/brand.tsx';
import type * as MantineOverlays from './mantine-overlays.ts';
import classes from './overlays-on-demand.module.css';
import { toastLoadFailure } from './toasts-with-button.tsx';

export type Overlays = typeof MantineOverlays;

/**
 * Imports scripts, except without a connection: until a page is loaded again, browsers remember a failed import and do not
 * repeat its request. A service worker has the scripts that are needed offline.
 */
export function importScripts<Module>(load: () => Promise<Module>): Promise<Module> {
	const isImpossible = !navigator.onLine && !isControlledByServiceWorker();
	return isImpossible ? Promise.reject(new Error('There is no connection.')) : load();
}

const overlays = createSharedValue<Overlays | undefined>(undefined);
let loading: Promise<void> | undefined;

/** Loads the scripts of menus, dialogs, tooltips and toasts: 45 KB (Brotli) that are not needed to show a screen. */
export function loadOverlays(): Promise<void> {
	loading ??= importScripts(() => import('./mantine-overlays.ts')).then(overlays.set, (error: unknown) => {
		loading = undefined;
		throw error;
	});
	return loading;
}

/** Returns undefined until the overlays have been loaded. If they are wanted and cannot be loaded, a toast says why. */
export function useOverlays(isWanted = false, onFail?: () => void): Overlays | undefined {
	const fail = useEffectEvent(() => {
		void toastLoadFailure();
		onFail?.();
	});
	useEffect(() => {
		if (!isWanted) return;
		let isCurrent = true;
		loadOverlays().catch(() => isCurrent && fail());
		return () => {
			isCurrent = false;
		};
	}, [isWanted]);
	return overlays.useValue();
}

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
	const useDialog = hookToLoad(load, name);
	return function DialogOnDemand(props: Props) {
		const Dialog = useDialog(props.onClose);
		return Dialog === undefined ? <LoadingDialog onClose={props.onClose} /> : <Dialog {...props} />;
	};
}

/** A component whose scripts are loaded when it is first rendered. If they cannot be loaded, a toast says why. */
export function componentOnDemand<Name extends string, Props extends object>(
	load: () => Promise<Record<Name, ComponentType<Props>>>,
	name: Name,
): ComponentType<Props> {
	const useComponent = hookToLoad(load, name);
	return function OnDemand(props: Props) {
		const Component = useComponent();
		return Component !== undefined && <Component {...props} />;
	};
}

function hookToLoad<Name extends string, Props>(
	load: () => Promise<Record<Name, ComponentType<Props>>>,
	name: Name,
): (onFail?: () => void) => ComponentType<Props> | undefined {
	let loaded: ComponentType<Props> | undefined;
	return (onFail) => {
		const [Component, setComponent] = useState(() => loaded);
		const fail = useEffectEvent(() => {
			void toastLoadFailure();
			onFail?.();
		});
		useEffect(() => {
			if (loaded !== undefined) return;
			let isMounted = true;
			importScripts(load).then(
				(file) => {
					loaded = file[name];
					if (isMounted) setComponent(() => loaded);
				},
				() => isMounted && fail(),
			);
			return () => {
				isMounted = false;
			};
		}, []);
		return Component;
	};
}

/** Takes the place and the focus of a dialog until its scripts have been loaded. Escape closes it. */
export function LoadingDialog({ onClose }: Closable) {
	const box = useRef<HTMLDivElement>(null);
	useReturnFocus();
	useEscape(true, onClose);
	useEffect(() => box.current?.focus(), []);
	return (
		<div
			ref={box}
			role="dialog"
			aria-modal="true"
			aria-busy="true"
			aria-label={m.common_loading()}
			tabIndex={-1}
			className={classes.loading}
			// There is nothing to focus inside, and what is below the dialog must not get the focus.
			onKeyDown={(event) => event.key === 'Tab' && event.preventDefault()}
			onBlur={({ currentTarget, relatedTarget }) => relatedTarget !== null && currentTarget.focus()}
		>
			<div role="status" className={classes.sign}>
				<BrandLogo />
				{m.common_loading()}
			</div>
		</div>
	);
}

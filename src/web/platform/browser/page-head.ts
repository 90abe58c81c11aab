import { useEffect } from 'react';
import { createSharedValue } from '../events/emitter.ts';

/** Returns the content of a `<meta name>` that the server wrote into the page; undefined if it is missing or empty. */
export function pageMeta(name: string): string | undefined {
	const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
	return content === '' ? undefined : content;
}

/** Returns the style nonce of this page, from a meta element, because browsers hide nonce attributes from scripts. */
export function styleNonce(): string {
	return pageMeta('csp-nonce') ?? '';
}

const title = createSharedValue<string | undefined>(undefined);

/** Sets the window's title while the component is mounted; undefined stands for the screen's heading. */
export function useScreenTitle(name: string | undefined): void {
	useEffect(() => {
		title.set(name);
		return () => title.set(undefined);
	}, [name]);
}

export const useCurrentScreenTitle = title.useValue;

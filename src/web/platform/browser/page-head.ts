import { useEffect } from 'react';
import { createSharedValue } from '../events/emitter.ts';

/** Returns the content of a `<meta name>` that the server wrote into the page; undefined if it is missing or empty. */
export function pageMeta(name: string): string | undefined {
	const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
	return content === '' ? undefined : content;
}

/** Returns the style nonce of this response. Browsers hide a nonce attribute from scripts, hence the meta element. */
export function styleNonce(): string {
	return pageMeta('csp-nonce') ?? '';
}

const title = createSharedValue<string | undefined>(undefined);

/** Sets the window's title while the component is mounted; undefined: the screen's heading is used. */
export function useScreenTitle(name: string | undefined): void {
	useEffect(() => {
		title.set(name);
		return () => title.set(undefined);
	}, [name]);
}

/** Returns the title that the screen has set; undefined if its heading is used. */
export const useCurrentScreenTitle = title.useValue;

import { useEffect } from 'react';
import { createSharedValue } from '../events/emitter.ts';

/** Returns the content of a `<meta>` element by its name; undefined if missing or empty. */
export function pageMeta(name: string): string | undefined {
	const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
	return content === '' ? undefined : content;
}

/** Read from a meta element, because browsers hide nonce attributes from scripts. */
export function styleNonce(): string {
	return pageMeta('csp-nonce') ?? '';
}

const title = createSharedValue<string | undefined>(undefined);

/** Sets the document's title while the component is mounted. With undefined, the title is the screen's heading. */
export function useScreenTitle(name: string | undefined): void {
	useEffect(() => {
		title.set(name);
		return () => title.set(undefined);
	}, [name]);
}

export const useCurrentScreenTitle = title.useValue;

/** What a service worker sees of the browser, as far as ours uses it; TypeScript's own library for it excludes that of pages. */
export interface WorkerScope {
	registration: { readonly active: unknown; unregister(): Promise<boolean> };
	clients: { claim(): Promise<void> };
	skipWaiting(): Promise<void>;
	addEventListener(type: 'install' | 'activate', listener: (event: LifeEvent) => void): void;
	addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
	addEventListener(type: 'message', listener: (event: AskEvent) => void): void;
}

export interface LifeEvent {
	waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends LifeEvent {
	readonly request: Request;
	respondWith(answer: Promise<Response>): void;
}

export interface AskEvent extends LifeEvent {
	readonly data: unknown;
	readonly ports: readonly MessagePort[];
}

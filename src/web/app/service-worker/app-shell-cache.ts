/** The files that the reader needs. Source: scripts/build/service-worker-plugin.ts. */
export interface AppShellFiles {
	/** URLs with a content hash in the file name. */
	assets: readonly string[];
	/** Files that pdf.js fetches during rendering. */
	pdf: readonly string[];
	pdfHash: string;
	/** Hash of {@link assets}. */
	hash: string;
}

const cachePrefixes = { shell: 'folio-shell-', pdf: 'folio-pdf-' };
/** The server returns the same HTML for every screen. This screen is public, so the request needs no session. */
const shellPageUrl = '/login';
const maxParallelFetches = 6;

/** The server runs another build than this worker, for example during a deployment. */
export class BuildMismatchError extends Error {}

/** Stores all missing files. Files that were stored before an error stay in the cache. @throws BuildMismatchError */
export async function precacheAppShell(files: AppShellFiles, onProgress: () => void): Promise<void> {
	const shell = await caches.open(cachePrefixes.shell + files.hash);
	if ((await shell.match(shellPageUrl)) === undefined) {
		const page = await fetchFile(shellPageUrl, 'no-store');
		const html = await page.clone().text();
		// During a deployment, the page may be from another build and then needs files that this worker cannot store.
		const assetUrls = [...html.matchAll(/"(?<url>\/assets\/[^"]+)"/gu)].map(({ groups }) => groups?.url ?? '');
		if (!assetUrls.every((url) => files.assets.includes(url)))
			throw new BuildMismatchError('The page is from another build.');
		await shell.put(shellPageUrl, page);
	}
	onProgress();
	await addMissingFiles(shell, files.assets, onProgress);
	await addMissingFiles(await caches.open(cachePrefixes.pdf + files.pdfHash), files.pdf, onProgress);
}

async function addMissingFiles(cache: Cache, urls: readonly string[], onProgress: () => void): Promise<void> {
	const missing: string[] = [];
	for (const url of urls) if ((await cache.match(url)) === undefined) missing.push(url);
	const addNext = async (): Promise<void> => {
		const url = missing.pop();
		if (url === undefined) return;
		// Files in /assets/ have a content hash in their names, so a copy from the cache of an older build is identical.
		const stored = url.startsWith('/assets/') ? await caches.match(url) : undefined;
		await cache.put(url, stored ?? (await fetchFile(url, 'default')));
		onProgress();
		return addNext();
	};
	await Promise.all(Array.from({ length: maxParallelFetches }, addNext));
}

async function fetchFile(url: string, cache: RequestCache): Promise<Response> {
	const response = await fetch(url, { cache, redirect: 'error' });
	if (response.status === 404) throw new BuildMismatchError(`${url} was not found.`);
	if (!response.ok) throw new Error(`The request for ${url} failed with status ${response.status}.`);
	return response;
}

export async function deleteOtherBuilds(files: AppShellFiles): Promise<void> {
	const currentNames = [cachePrefixes.shell + files.hash, cachePrefixes.pdf + files.pdfHash];
	const outdatedNames = (await caches.keys()).filter(
		(name) => Object.values(cachePrefixes).some((prefix) => name.startsWith(prefix)) && !currentNames.includes(name),
	);
	await Promise.all(outdatedNames.map((name) => caches.delete(name)));
}

export function findShellFile(files: AppShellFiles, path: string): Promise<Response | undefined> {
	const cacheName = path.startsWith('/pdfjs/') ? cachePrefixes.pdf + files.pdfHash : cachePrefixes.shell + files.hash;
	return caches.match(path, { cacheName });
}

/** Returns the stored page with its content security policy and a new nonce. */
export async function findShellPage(files: AppShellFiles): Promise<Response | undefined> {
	const page = await findShellFile(files, shellPageUrl);
	if (page === undefined) return undefined;
	const headers = new Headers(page.headers);
	headers.delete('content-length');
	headers.delete('content-encoding');
	const { html, policy } = withFreshNonce(await page.text(), headers.get('content-security-policy') ?? '');
	headers.set('content-security-policy', policy);
	return new Response(html, { headers });
}

export function withFreshNonce(html: string, policy: string): { html: string; policy: string } {
	const nonce = /'nonce-(?<nonce>[^']+)'/u.exec(policy)?.groups?.nonce;
	if (nonce === undefined) return { html, policy };
	const fresh = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
	return { html: html.replaceAll(nonce, fresh), policy: policy.replaceAll(nonce, fresh) };
}

/** The files of the app that the reader needs, by build: see scripts/build/service-worker-plugin.ts. */
export interface AppShellFiles {
	/** URLs with a hash in their names; they change with the build. */
	assets: readonly string[];
	/** Files that pdf.js fetches while it renders, and a hash of all of them. */
	pdf: readonly string[];
	pdfHash: string;
	/** Hash of {@link assets}. */
	hash: string;
}

const cachePrefixes = { shell: 'folio-shell-', pdf: 'folio-pdf-' };
/** URL of a public screen: all screens get the same page, which has no user data. */
const shellPageUrl = '/login';
const maxParallelFetches = 6;

/** The page and the list of files are from different builds, for example during a deployment. */
export class BuildMismatchError extends Error {}

/**
 * Stores the app's files that the reader needs and that are missing; stored files are kept even after an error.
 * @param onProgress called after each stored file
 * @throws BuildMismatchError, and Error when some files could not be loaded
 */
export async function precacheAppShell(files: AppShellFiles, onProgress: () => void): Promise<void> {
	const shell = await caches.open(cachePrefixes.shell + files.hash);
	if ((await shell.match(shellPageUrl)) === undefined) {
		const page = await fetchFile(shellPageUrl, 'no-store');
		const html = await page.clone().text();
		// During a deployment the page may be from another build, and would request files that this worker does not have.
		const wanted = [...html.matchAll(/"(?<address>\/assets\/[^"]+)"/gu)].map(({ groups }) => groups?.address ?? '');
		if (!wanted.every((address) => files.assets.includes(address)))
			throw new BuildMismatchError('The page is of another build.');
		await shell.put(shellPageUrl, page);
	}
	onProgress();
	await addMissingFiles(shell, files.assets, onProgress);
	await addMissingFiles(await caches.open(cachePrefixes.pdf + files.pdfHash), files.pdf, onProgress);
}

async function addMissingFiles(cache: Cache, addresses: readonly string[], onProgress: () => void): Promise<void> {
	const missing: string[] = [];
	for (const address of addresses) if ((await cache.match(address)) === undefined) missing.push(address);
	const next = async (): Promise<void> => {
		const address = missing.pop();
		if (address === undefined) return;
		await cache.put(address, (await findInAnyBuild(address)) ?? (await fetchFile(address, 'default')));
		onProgress();
		return next();
	};
	await Promise.all(Array.from({ length: maxParallelFetches }, next));
}

/** Looks in the caches of all builds: a file with a hash in its name is the same in each. */
async function findInAnyBuild(address: string): Promise<Response | undefined> {
	return address.startsWith('/assets/') ? caches.match(address) : undefined;
}

async function fetchFile(address: string, cache: RequestCache): Promise<Response> {
	const response = await fetch(address, { cache, redirect: 'error' });
	// The file was removed with its build.
	if (response.status === 404) throw new BuildMismatchError(`${address} is not there.`);
	if (!response.ok) throw new Error(`${address} was answered with ${response.status}.`);
	return response;
}

/** Deletes the files of other builds. */
export async function deleteOtherBuilds(files: AppShellFiles): Promise<void> {
	const own = [cachePrefixes.shell + files.hash, cachePrefixes.pdf + files.pdfHash];
	const others = (await caches.keys()).filter(
		(name) => Object.values(cachePrefixes).some((prefix) => name.startsWith(prefix)) && !own.includes(name),
	);
	await Promise.all(others.map((name) => caches.delete(name)));
}

/** Returns a stored file of this build. */
export function findShellFile(files: AppShellFiles, path: string): Promise<Response | undefined> {
	const cacheName = path.startsWith('/pdfjs/') ? cachePrefixes.pdf + files.pdfHash : cachePrefixes.shell + files.hash;
	return caches.match(path, { cacheName });
}

/** Returns the stored page of the app, with the server's content security policy and a new nonce. */
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

/** Replaces the nonce in the page and its policy. */
export function withFreshNonce(html: string, policy: string): { html: string; policy: string } {
	const nonce = /'nonce-(?<nonce>[^']+)'/u.exec(policy)?.groups?.nonce;
	if (nonce === undefined) return { html, policy };
	const fresh = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
	return { html: html.replaceAll(nonce, fresh), policy: policy.replaceAll(nonce, fresh) };
}

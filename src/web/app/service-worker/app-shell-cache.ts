/** What the reader needs of the app, by the build: see scripts/build/service-worker-plugin.ts. */
export interface AppShellFiles {
	/** Addresses with a hash in their names; another build has others. */
	assets: readonly string[];
	/** What pdf.js fetches while it draws, and the hash of all of it. */
	pdf: readonly string[];
	pdfHash: string;
	/** The hash of {@link assets}. */
	hash: string;
}

const cachePrefixes = { shell: 'folio-shell-', pdf: 'folio-pdf-' };
/** Any screen that is open to everybody: all get the same page, and nobody's name is in it. */
const shellPageUrl = '/login';
const maxParallelFetches = 6;

/** The page and the list of files are of two builds: during a deploy, or before the new worker has come. */
export class BuildMismatchError extends Error {}

/**
 * Lays down all of the app that the reader needs and is not here yet; what is here stays, however it ends.
 *
 * @param onProgress hears of each file that has come
 * @throws BuildMismatchError, and Error when not all of it could be had
 */
export async function precacheAppShell(files: AppShellFiles, onProgress: () => void): Promise<void> {
	const shell = await caches.open(cachePrefixes.shell + files.hash);
	if ((await shell.match(shellPageUrl)) === undefined) {
		const page = await fetchFile(shellPageUrl, 'no-store');
		const html = await page.clone().text();
		// During a deploy the page may be another build's: it would ask for files that this worker does not have.
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

/** A hashed file is the same in every build that has it. */
async function findInAnyBuild(address: string): Promise<Response | undefined> {
	return address.startsWith('/assets/') ? caches.match(address) : undefined;
}

async function fetchFile(address: string, cache: RequestCache): Promise<Response> {
	const response = await fetch(address, { cache, redirect: 'error' });
	// Gone with its build.
	if (response.status === 404) throw new BuildMismatchError(`${address} is not there.`);
	if (!response.ok) throw new Error(`${address} was answered with ${response.status}.`);
	return response;
}

/** Removes the files of other builds. */
export async function deleteOtherBuilds(files: AppShellFiles): Promise<void> {
	const own = [cachePrefixes.shell + files.hash, cachePrefixes.pdf + files.pdfHash];
	const others = (await caches.keys()).filter(
		(name) => Object.values(cachePrefixes).some((prefix) => name.startsWith(prefix)) && !own.includes(name),
	);
	await Promise.all(others.map((name) => caches.delete(name)));
}

/** A file of this build, from the device. */
export function findShellFile(files: AppShellFiles, path: string): Promise<Response | undefined> {
	const cacheName = path.startsWith('/pdfjs/') ? cachePrefixes.pdf + files.pdfHash : cachePrefixes.shell + files.hash;
	return caches.match(path, { cacheName });
}

/** The app's page, from the device: with the policy that the server gave it, and a nonce that no page had before. */
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

/** The same page and policy with another nonce. */
export function withFreshNonce(html: string, policy: string): { html: string; policy: string } {
	const nonce = /'nonce-(?<nonce>[^']+)'/u.exec(policy)?.groups?.nonce;
	if (nonce === undefined) return { html, policy };
	const fresh = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
	return { html: html.replaceAll(nonce, fresh), policy: policy.replaceAll(nonce, fresh) };
}

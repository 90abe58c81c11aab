/** What the reader needs of the app, by the build: see scripts/offline-worker.ts. */
export interface ShellFiles {
	/** Addresses with a hash in their names; another build has others. */
	assets: readonly string[];
	/** What pdf.js fetches while it draws, and the hash of all of it. */
	pdf: readonly string[];
	pdfHash: string;
	/** The hash of {@link assets}. */
	hash: string;
}

const prefixes = { shell: 'folio-shell-', pdf: 'folio-pdf-' };
/** Any screen that is open to everybody: all get the same page, and nobody's name is in it. */
const pageAddress = '/login';
const atOnce = 6;

/** The page and the list of files are of two builds: during a deploy, or before the new worker has come. */
export class OtherBuildError extends Error {}

/**
 * Lays down all of the app that the reader needs and is not here yet; what is here stays, however it ends.
 *
 * @param tell hears of each file that has come
 * @throws OtherBuildError, and Error when not all of it could be had
 */
export async function fillShell(files: ShellFiles, tell: () => void): Promise<void> {
	const shell = await caches.open(prefixes.shell + files.hash);
	if ((await shell.match(pageAddress)) === undefined) {
		const page = await fetchWhole(pageAddress, 'no-store');
		const html = await page.clone().text();
		// During a deploy the page may be another build's: it would ask for files that this worker does not have.
		const wanted = [...html.matchAll(/"(?<address>\/assets\/[^"]+)"/gu)].map(({ groups }) => groups?.address ?? '');
		if (!wanted.every((address) => files.assets.includes(address)))
			throw new OtherBuildError('The page is of another build.');
		await shell.put(pageAddress, page);
	}
	tell();
	await fill(shell, files.assets, tell);
	await fill(await caches.open(prefixes.pdf + files.pdfHash), files.pdf, tell);
}

async function fill(cache: Cache, addresses: readonly string[], tell: () => void): Promise<void> {
	const missing: string[] = [];
	for (const address of addresses) if ((await cache.match(address)) === undefined) missing.push(address);
	const next = async (): Promise<void> => {
		const address = missing.pop();
		if (address === undefined) return;
		await cache.put(address, (await fromOlder(address)) ?? (await fetchWhole(address, 'default')));
		tell();
		return next();
	};
	await Promise.all(Array.from({ length: atOnce }, next));
}

/** A hashed file is the same in every build that has it. */
async function fromOlder(address: string): Promise<Response | undefined> {
	return address.startsWith('/assets/') ? caches.match(address) : undefined;
}

async function fetchWhole(address: string, cache: RequestCache): Promise<Response> {
	const answer = await fetch(address, { cache, redirect: 'error' });
	// Gone with its build.
	if (answer.status === 404) throw new OtherBuildError(`${address} is not there.`);
	if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}.`);
	return answer;
}

/** Removes the files of other builds. */
export async function removeOtherShells(files: ShellFiles): Promise<void> {
	const own = [prefixes.shell + files.hash, prefixes.pdf + files.pdfHash];
	const others = (await caches.keys()).filter(
		(name) => Object.values(prefixes).some((prefix) => name.startsWith(prefix)) && !own.includes(name),
	);
	await Promise.all(others.map((name) => caches.delete(name)));
}

/** A file of this build, from the device. */
export function recallFile(files: ShellFiles, path: string): Promise<Response | undefined> {
	const cacheName = path.startsWith('/pdfjs/') ? prefixes.pdf + files.pdfHash : prefixes.shell + files.hash;
	return caches.match(path, { cacheName });
}

/** The app's page, from the device: with the policy that the server gave it, and a nonce that no page had before. */
export async function recallPage(files: ShellFiles): Promise<Response | undefined> {
	const page = await recallFile(files, pageAddress);
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

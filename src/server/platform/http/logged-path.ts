import type { FastifyRequest } from 'fastify';

/** Secret links, however they are spelled: what fits no route is not to be logged either. */
const secretPath = /(\/order\/)[^/]+/iu;
/** A token as {@link newToken} makes it, wherever it stands: mail programs may write `%2F` for a stroke. */
const secretPart = /[\w-]{43,}/gu;

/** The path of a request as a log may keep it: without its query, and without the secret of a secret link. */
export function loggedPath({ url, routeOptions }: FastifyRequest): string {
	// An address that cannot be read has no route.
	if (routeOptions?.config?.hasSecretPath === true) return routeOptions.url ?? '';
	return (url.split('?')[0] ?? '').replace(secretPath, '$1…').replace(secretPart, '…');
}

import { oc } from '@orpc/contract';

/**
 * Who may call an endpoint at all, before any rule about the single thing it names.
 * `public`: anybody. `member`: a signed-in, active person (else 401, or 403 for a session ended by
 * deactivation). `admin`: a member whose role is admin (else 403 besides). Source: the access table.
 */
export type Access = 'public' | 'member' | 'admin';

/** What every endpoint declares beside its path; the server refuses to register a route without it. */
export interface EndpointMeta {
	access: Access;
	/** Largest accepted request body in bytes; the default suits forms of text. */
	bodyLimitBytes?: number;
	/** Open to an admin who must set two-factor sign-in up first. */
	isForSetUp?: boolean;
	/** The specification's answer is {success, error}: each failure, whoever refuses, carries both beside the error body. */
	tellsSuccess?: boolean;
	/** Open although this session sees the product as a member does, read only. */
	isOpenInView?: boolean;
}

/** The start of every endpoint of the JSON API. Forgetting `access` means admin only. */
export const endpoint = oc.$meta<EndpointMeta>({ access: 'admin' });

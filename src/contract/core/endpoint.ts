import { type AnyContractProcedure, type InferSchemaOutput, oc } from '@orpc/contract';
import * as z from 'zod';

/**
 * Who may call an endpoint; access rules of individual records apply in addition. `public`: any visitor. `member`: a
 * signed-in, active user (otherwise 401, or 403 for a session ended by deactivation). `admin`: a member with the admin
 * role (otherwise 403). Source: the access table.
 */
export type Access = 'public' | 'member' | 'admin';

export interface EndpointMeta {
	access: Access;
	/** Largest accepted request body in bytes; the default is enough for ordinary forms. */
	bodyLimitBytes?: number;
	/** Whether an admin who must first set up two-factor sign-in may call the endpoint. */
	isForSetUp?: boolean;
	/** Whether the specified response is {success, error}. If so, failures have these two fields as well. */
	tellsSuccess?: boolean;
	/** Whether the endpoint may be called during an impersonation, which otherwise may only read. */
	isOpenInView?: boolean;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Declares an endpoint of the JSON API.
 * @param address method and path
 * @param summary its title in the API documentation
 */
export function endpoint(
	access: Access,
	address: `${Method} /${string}`,
	summary: string,
	more: Omit<EndpointMeta, 'access'> = {},
) {
	const [method, path] = address.split(' ') as [Method, `/${string}`];
	return oc.$meta<EndpointMeta>({ access, ...more }).route({ method, path, summary });
}

/** Declares an endpoint whose response has no fields. */
export function command(...declaration: Parameters<typeof endpoint>) {
	return endpoint(...declaration).output(z.object({}));
}

/** The validated input that the handler of an endpoint receives. */
export type InputOf<Endpoint extends AnyContractProcedure> = InferSchemaOutput<
	NonNullable<Endpoint['~orpc']['inputSchema']>
>;

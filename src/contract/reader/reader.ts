import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { editionKey } from '../settings/book-settings.ts';

/** One edition a member may open. */
export const shelfEdition = z.object({
	key: editionKey,
	part: z.union([z.literal(1), z.literal(2)]),
	language: z.enum(['en', 'hi']),
	size: z.number(),
	/** Address of the PDF's bytes (ranges). */
	url: z.string(),
});
export type ShelfEdition = z.infer<typeof shelfEdition>;

export const reader = {
	/** `none`: no order; `pending`: an order is being verified; `open`: book access, with the editions that are assigned. */
	shelf: endpoint
		.meta({ access: 'member' })
		.route({ method: 'GET', path: '/api/shelf', summary: 'The editions this person may read' })
		.output(
			z.object({ title: z.string(), access: z.enum(['none', 'pending', 'open']), editions: z.array(shelfEdition) }),
		),
};

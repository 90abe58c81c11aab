import * as z from 'zod';
import { recordId, singleLineText } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** The lists whose filters can be saved. */
export const filteredList = z.enum(['orders', 'users']);
export type FilteredList = z.infer<typeof filteredList>;

/** Filters and sort of a list under a name. Each admin has their own. */
export const savedFilter = z.object({
	id: z.string(),
	name: z.string(),
	/** Search parameters of the list's screen, without `?`. The screen ignores unknown and invalid ones. */
	query: z.string(),
});
export type SavedFilter = z.infer<typeof savedFilter>;

export const savedFilterErrors = defineErrors({
	FILTER_NAME_IN_USE: { status: 409, messageKey: 'error_filter_name_in_use' },
	TOO_MANY_SAVED_FILTERS: { status: 409, messageKey: 'error_too_many_saved_filters' },
});

const name = singleLineText
	.pipe(z.string().min(1, 'error_field_required'))
	.pipe(z.string().max(limits.savedFilterNameMaxLength, 'error_field_too_long'));

const query = z
	.string()
	.max(limits.savedFilterQueryMaxBytes, 'error_field_too_long')
	.regex(/^[\x21-\x7e]*$/u, 'error_invalid_input');

export const savedFilters = {
	list: endpoint('admin', 'GET /api/saved-filters', 'List your saved filters of a list, by name')
		.input(z.object({ list: filteredList }))
		.output(z.object({ items: z.array(savedFilter) })),
	/** FILTER_NAME_IN_USE, TOO_MANY_SAVED_FILTERS, each with `fields.name`. */
	add: endpoint('admin', 'POST /api/saved-filters', 'Save filters under a name')
		.input(z.object({ list: filteredList, name, query }))
		.output(savedFilter),
	/** Renames saved filters, or replaces what they filter. FILTER_NAME_IN_USE with `fields.name`, NOT_FOUND. */
	update: endpoint('admin', 'PUT /api/saved-filters/{id}', 'Rename or replace saved filters')
		.input(z.object({ id: recordId, name: name.optional(), query: query.optional() }))
		.output(savedFilter),
	/** NOT_FOUND. */
	remove: command('admin', 'DELETE /api/saved-filters/{id}', 'Delete saved filters').input(z.object({ id: recordId })),
};

import * as z from 'zod';
import { cursor, pageOf, pageSize, recordId, searchText, singleLineText, timestamp } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { hasVisibleCharacters } from '../core/text.ts';
import { userSummary } from './administration.ts';

/** Groups whose members are computed. They cannot be renamed or deleted, and their members cannot be edited. */
export const computedGroups = {
	/** Every active user with the role `user`. */
	'all-members': 'All members',
	/** Every user with book access. */
	'book-owners': 'Owns the book',
} as const;
export type ComputedGroupId = keyof typeof computedGroups;

export function isComputedGroup(id: string): id is ComputedGroupId {
	return Object.hasOwn(computedGroups, id);
}

/** A group as others name it. A computed group has its English name; screens show their own translation. */
export const groupRef = z.object({ id: z.string(), name: z.string() });
export type GroupRef = z.infer<typeof groupRef>;

export const group = groupRef.extend({
	memberCount: z.number(),
	/** Null for a computed group. */
	createdAt: timestamp.nullable(),
});
export type Group = z.infer<typeof group>;

export const groupMember = userSummary.pick({ id: true, email: true, name: true, role: true, active: true }).extend({
	/** Null in a computed group. */
	addedAt: timestamp.nullable(),
});
export type GroupMember = z.infer<typeof groupMember>;

export const groupErrors = defineErrors({
	GROUP_NAME_IN_USE: { status: 409, messageKey: 'error_group_name_in_use' },
	GROUP_UNKNOWN: { status: 404, messageKey: 'error_group_unknown' },
	GROUP_COMPUTED: { status: 409, messageKey: 'error_group_computed' },
});

const name = singleLineText.pipe(
	z
		.string()
		.refine(hasVisibleCharacters, 'error_field_required')
		.max(limits.groupNameMaxLength, 'error_field_too_long'),
);
const id = recordId;
const userIds = z.array(recordId).min(1).max(limits.groupMembersPerCallMax, 'error_too_many_at_once');

/** Named groups of users, with whom folders and files are shared. */
export const groups = {
	/** Lists the named groups by name; `computed` are the groups that always exist, filtered by the same search. */
	list: endpoint('admin', 'GET /api/groups', 'List groups, searched by name')
		.input(z.object({ search: searchText, cursor, limit: pageSize }))
		.output(pageOf(group, { computed: z.array(group), total: z.number() })),
	/** GROUP_NAME_IN_USE. */
	create: endpoint('admin', 'POST /api/groups', 'Create a group').input(z.object({ name })).output(group),
	/** GROUP_NAME_IN_USE, GROUP_COMPUTED, GROUP_UNKNOWN. */
	rename: endpoint('admin', 'POST /api/groups/{id}/rename', 'Rename a group')
		.input(z.object({ id, name }))
		.output(group),
	/** Deletes a group with its shares and exclusions; its members lose at once what they read through it. */
	remove: command('admin', 'DELETE /api/groups/{id}', 'Delete a group').input(z.object({ id })),
	/** Returns a group and lists its members, the last added first; of a computed group by email address. GROUP_UNKNOWN. */
	members: endpoint('admin', 'GET /api/groups/{id}/members', 'List the members of a group')
		.input(z.object({ id, search: searchText, cursor, limit: pageSize }))
		.output(pageOf(groupMember, { group })),
	/** Adds users, who can read the group's shares at once. Unknown users are skipped. GROUP_COMPUTED, GROUP_UNKNOWN. */
	addMembers: endpoint('admin', 'POST /api/groups/{id}/members', 'Add users to a group')
		.input(z.object({ id, userIds }))
		.output(z.object({ added: z.number(), alreadyMembers: z.number() })),
	/** Removes users, who lose at once what they read through the group. GROUP_COMPUTED, GROUP_UNKNOWN. */
	removeMembers: endpoint('admin', 'POST /api/groups/{id}/members/remove', 'Remove users from a group')
		.input(z.object({ id, userIds }))
		.output(z.object({ removed: z.number() })),
};

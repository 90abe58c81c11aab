export {
	countUsersToChange,
	getUserSummary,
	listUserBatch,
	setUsersActive,
} from './administration/administration.service.ts';
export { deleteAccount, deleteUnusedAccount, listAccountDeletions } from './deletion/deletion.service.ts';
export { findGroup, findMembersAmong, isMemberOf, lockGroup } from './groups/groups.queries.ts';
export { audienceOfRecipient, changeMembers, findReader, findReaders, type Reader } from './groups/groups.service.ts';
export { createPasswordLink, firstPasswordLinkSeconds } from './passwords/password-links.ts';
export {
	findUserById,
	hasFilesOrShares,
	lockUserIfExists,
	lockUsers,
	type UserRow,
} from './users/users.queries.ts';
export {
	changeEmailOfUnusedUser,
	createUser,
	createUserFromImportedLogin,
	findUserByEmail,
	findUserByEmailForUpdate,
	hasLogin,
	listEmailsByUserId,
} from './users/users.service.ts';

export { getUserSummary } from './administration/administration.service.ts';
export { deleteUnusedAccount, listAccountDeletions } from './deletion/deletion.service.ts';
export { createPasswordLink, firstPasswordLinkSeconds } from './passwords/password-links.ts';
export { findUserById, hasFilesOrShares, lockUserIfExists, type UserRow } from './users/users.queries.ts';
export {
	changeEmailOfUnusedUser,
	createUser,
	createUserFromImportedLogin,
	findUserByEmail,
	findUserByEmailForUpdate,
	listEmailsByUserId,
} from './users/users.service.ts';

export { findOwnerMailRecipient, getMailSettings } from './mail-settings.ts';
export { getMailReadiness, maxMailRetrySeconds } from './outbox/mail-sender.ts';
export { deleteChatMails, deleteUnsentChatMails, deleteUnsentOrderMails } from './outbox/outbox.queries.ts';
export {
	deleteMailFile,
	deleteMailsToUser,
	describeSender,
	enqueueMail,
	excerptForMail,
	listMailsToUser,
	type MailOrder,
	mailFilePath,
	sanitizeMailName,
} from './outbox/outbox.service.ts';

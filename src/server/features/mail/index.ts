export {
	findOwnerMailRecipient,
	getMailSettings,
} from './mail-settings.ts';
export { deleteMailsTo, deleteUnsentChatMails, deleteUnsentOrderMails } from './outbox/outbox.queries.ts';
export {
	deleteMailFile,
	enqueueMail,
	excerptForMail,
	type MailOrder,
	sanitizeMailName,
} from './outbox/outbox.service.ts';

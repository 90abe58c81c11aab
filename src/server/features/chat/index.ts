// What maintenance may do with conversations that are being deleted.
export {
	deleteErasedMessages,
	listChatKeysBeingDeleted,
	listConversationsBeingDeleted,
} from './deletion/deletion.service.ts';

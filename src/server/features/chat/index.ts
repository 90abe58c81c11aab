export {
	deleteErasedMessages,
	listChatKeysBeingDeleted,
	listConversationsBeingDeleted,
} from './deletion/deletion.service.ts';

// The public interface of the chat for maintenance: conversations that are being deleted.
export {
	deleteErasedMessages,
	listChatKeysBeingDeleted,
	listConversationsBeingDeleted,
} from './deletion/deletion.service.ts';

import { NotBuiltScreen } from './not-built.tsx';

/** Being built. */
export const UserFilesScreen = NotBuiltScreen;

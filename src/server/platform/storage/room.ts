import { AppError } from '../app-error.ts';
import type { Storage } from './storage.ts';

/** @throws AppError STORAGE_FULL when these bytes would touch the reserve that the database lives on */
export async function requireRoom(storage: Storage, sizeBytes: number): Promise<void> {
	if ((await storage.freeBytes()) < sizeBytes) throw new AppError('STORAGE_FULL');
}

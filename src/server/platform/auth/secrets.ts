import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../create-folder.ts';

/** Hashing and encryption with the installation's secret, which is never stored in the database. */
export interface Secrets {
	/** Returns the SHA-256 of a random token. Only the hash is stored. */
	hashToken(token: string): string;
	/** Returns a keyed fingerprint, for text that could be guessed from a plain hash, such as an IP address. */
	fingerprint(text: string): string;
	/** Returns a keyed fingerprint of 43 characters, to find a row with sealed text; `context` is table.column. */
	lookupKey(context: string, text: string): string;
	/** Encrypts with AES-256-GCM and a new nonce. Decrypting needs the same `context` (table.column). */
	seal(context: string, text: string): string;
	/** @throws Error when the text was not sealed with this secret and context. */
	unseal(context: string, sealed: string): string;
}

const version = 'v1';

/** Derives the keys of an installation from its `SECRET` (RFC 5869). */
export function createSecrets(secret: string): Secrets {
	const sealKey = deriveKey(secret, 'folio seal');
	const fingerprintKey = deriveKey(secret, 'folio fingerprint');
	const lookupKey = deriveKey(secret, 'folio lookup');
	return {
		hashToken: (token) => hash('sha256', token, 'base64url'),
		fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest('base64url').slice(0, 22),
		lookupKey: (context, text) =>
			createHmac('sha256', lookupKey)
				.update(JSON.stringify([context, text]))
				.digest('base64url'),
		seal(context, text) {
			const nonce = randomBytes(12);
			const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(context));
			const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
			return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
		},
		unseal(context, sealed) {
			const [prefix, packed] = sealed.split('.');
			if (prefix !== version || packed === undefined) throw new Error('Not a sealed text.');
			const bytes = Buffer.from(packed, 'base64url');
			const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, 12)).setAAD(Buffer.from(context));
			decipher.setAuthTag(bytes.subarray(12, 28));
			return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
		},
	};
}

// The two fingerprints of a secret differ, because values of both kinds are already stored.

/** Returns the fingerprint that a backup stores to recognise its secret without revealing it. */
export function backupFingerprintOf(secrets: Secrets): string {
	return secrets.lookupKey('secret', 'itself');
}

/** Returns the fingerprint that a database stores to recognise its secret without revealing it. */
export function databaseFingerprintOf(secrets: Secrets): string {
	return secrets.lookupKey('secret-fingerprint', 'folio');
}

/** Returns the path of the secret file, which is used when SECRET is not set. */
export function secretFileOf(dataDir: string): string {
	return join(dataDir, 'secret');
}

/** Returns the secret in the data folder, or null. */
export function findSecretFile(dataDir: string): string | null {
	const file = secretFileOf(dataDir);
	return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** Returns the secret in the data folder, created at the first start and readable by its owner only. */
export function loadOrCreateSecret(dataDir: string): string {
	const file = secretFileOf(dataDir);
	const existing = findSecretFile(dataDir);
	if (existing !== null) return existing;
	const secret = generateSecret();
	createFolder(dataDir);
	// Written to another file first, so that a process that starts at the same moment never reads half a secret.
	const temporaryFile = `${file}.${randomUUID()}`;
	writeFileSync(temporaryFile, `${secret}\n`, { mode: 0o600, flush: true });
	try {
		linkSync(temporaryFile, file);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	} finally {
		unlinkSync(temporaryFile);
	}
	return readFileSync(file, 'utf8').trim();
}

export function generateSecret(): string {
	return randomBytes(32).toString('base64url');
}

/** Writes the secret file of a data folder. @throws Error EEXIST when the folder has one */
export function writeSecret(dataDir: string, secret: string): void {
	createFolder(dataDir);
	writeFileSync(secretFileOf(dataDir), `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
}

function deriveKey(secret: string, purpose: string): Buffer {
	return Buffer.from(hkdfSync('sha256', secret, 'folio', purpose, 32));
}

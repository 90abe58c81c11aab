import { requireProgram } from './debian-packages.mjs';

/**
 * The web server that many processes are tried behind.
 * @throws Error naming the command to run when there is none
 */
export function requireNginx() {
	return requireProgram({ name: 'nginx', packages: ['nginx-light'], purpose: 'Many processes are tried behind nginx' });
}

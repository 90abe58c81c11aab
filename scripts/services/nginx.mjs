import { requireProgram } from './debian-packages.mjs';

/**
 * Finds or installs nginx, behind which tests run several processes.
 * @throws Error naming the command to run when there is none
 */
export function requireNginx() {
	return requireProgram({
		name: 'nginx',
		packages: ['nginx-light'],
		purpose: 'Several processes are tested behind nginx',
	});
}

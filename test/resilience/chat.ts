/**
 * Support chat while the server is killed: two members and the owner write texts and files in turn in three browsers,
 * 500 messages during 5 kills (-9) of the process of the built server. Each message is shown once and in order on
 * every screen of its conversation, and on no other screen.
 * Control: if the server does not recognise a message that is sent again after a lost answer, the same checks must find
 * the message twice.
 *
 * `node scripts/resilience.mjs chat [--short] [--scaled]`; with `--scaled`, two processes run on PostgreSQL behind
 * nginx and are killed in turn.
 */
import { type Cluster, killOneProcessAtATime } from '../support/services/cluster.ts';
import { type Chat, openChat, type Plan, type Run, writeUnderKills } from './support/chat-browsers.ts';
import { checkChat } from './support/chat-checks.ts';
import { finishTest, isShort, printLine } from './support/report.ts';
import { openCluster, openServer } from './support/server.ts';
import { type Rewrite, runControl } from './support/server-variant.ts';

const plan: Plan = isShort ? { messages: 40, kills: 2 } : { messages: 500, kills: 5 };
const committed = 'a message is committed, its answer is not sent';
const controlPlan: Plan = { messages: 12, kills: 1, killAtPrinted: committed };

const failures: string[] = [];
const isScaled = process.argv.includes('--scaled');
const { run, faults } = await runScenario(plan);
failures.push(...faults);
if (run.killsDuringRequest < plan.kills)
	failures.push(`only ${run.killsDuringRequest} kills happened while a message was being sent`);

const forgetClientIds: Rewrite[] = [
	{
		file: 'features/chat/chat.service.ts',
		find: /if \(isNew\) publishMessage\(deps, userId, message\);/u,
		// Stores the client ID just before the answer. If the server is killed before, it does not recognise the message
		// when it is sent again.
		replace: `const storeClientId = (clientId) =>
		deps.db.updateTable('messages').set({ client_id: clientId }).where('user_id', '=', userId).where('sequence', '=', message.sequence).execute();
	if (isNew) await storeClientId(newId());
	console.log('${committed}');
	await new Promise((resolve) => setTimeout(resolve, 1000));
	if (isNew) await storeClientId(newMessage.clientId);
	if (isNew) publishMessage(deps, userId, message);`,
	},
];
const control = async (dist: string) => (await runScenario(controlPlan, dist)).faults;
failures.push(...(await runControl('chat-without-client-ids', forgetClientIds, control, / 2 times$/u)));
finishTest(failures);

async function runScenario(scenario: Plan, dist?: string): Promise<{ run: Run; faults: string[] }> {
	await using cluster = isScaled && dist === undefined ? await openCluster() : null;
	await using single = cluster === null ? await openServer(dist) : null;
	const server = single ?? killOneProcessAtATime(cluster as Cluster);
	await using chat = await openChat(server);
	const startedAt = performance.now();
	const run = await writeUnderKills(server, chat, scenario);
	const writtenMs = performance.now() - startedAt;
	const faults = await checkChat(server, chat);
	const checkedMs = performance.now() - startedAt - writtenMs;
	const [written, checked] = [writtenMs, checkedMs].map((ms) => (ms / 1000).toFixed(1));
	printLine(`${describe(chat, run)}: ${faults.length} faults; written in ${written} s, checked in ${checked} s`);
	return { run, faults };
}

function describe({ writers }: Chat, { kills, killsDuringRequest }: Run): string {
	const messages = writers.flatMap((writer) => writer.sent);
	const files = messages.filter(({ isFile }) => isFile).length;
	return `${messages.length} messages on ${writers.length} screens, ${files} of them files, ${kills} kills, ${killsDuringRequest} of them while a message was being sent`;
}

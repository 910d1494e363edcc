import { dirname } from 'node:path';
import type { EvalPoint, VarState } from '../core/evaluator.ts';
import type { Node } from '../core/node.ts';
import { TaskFailure } from '../core/result.ts';
import { type Environment, parseTemplate, render, type Value } from '../jinja/index.ts';
import { VarsFolders } from './group-vars.ts';
import { HostLayers } from './host-layers.ts';
import { HostVars, ScopeDict } from './hostvars.ts';
import type { Host } from './inventory.ts';
import { type Layer, valuesLayer } from './layer.ts';
import { lookupsAt } from './lookups/index.ts';
import type { LookupPlace } from './lookups/place.ts';
import { magicLayer } from './magic.ts';
import { connectionVars } from './names.ts';
import { hostLayers, type LayerTools, pointLayers } from './point-layers.ts';
import { type PlacedEnvironment, randomPlaces, within } from './random-places.ts';
import { LayeredScope } from './scope.ts';
import type { ResolveSettings } from './settings.ts';
import { isTemplated, varsFilesNodes } from './vars-files.ts';

const emptyState: VarState = { facts: new Map(), set: new Map(), included: new Map() };

/** The scopes of a run: one per point, and per point one for each host looked at through hostvars. */
export class Scopes {
  private readonly settings: ResolveSettings;
  private readonly env: Environment;
  private readonly tools: LayerTools;
  private readonly ofPoint = new WeakMap<EvalPoint, LayeredScope>();
  private readonly derived = new WeakMap<EvalPoint, Map<string, EvalPoint>>();
  private readonly checkedVarsFiles = new WeakMap<VarState['facts'], Set<string>>();
  private readonly ofHosts = new WeakMap<EvalPoint, Map<string, LayeredScope>>();
  private readonly reached = new WeakMap<EvalPoint['play'], Map<string, Layer>>();

  constructor(settings: ResolveSettings, env: Environment) {
    this.settings = settings;
    this.env = env;
    const hosts = new HostLayers(settings.inventory, new VarsFolders(settings.sources));
    this.tools = { settings, hosts, varsFiles: (point, host) => this.varsFiles(point, host) };
  }

  /** What the point sees. */
  at(point: EvalPoint): LayeredScope {
    const known = this.ofPoint.get(point);
    if (known) return known;
    const made = this.make(point, this.host(point.host));
    this.ofPoint.set(point, made);
    return made;
  }

  /** What the point's play, block and task see as another host: for reaching a delegate. */
  as(host: string, point: EvalPoint): LayeredScope {
    if (host === point.host && point.delegate === undefined) return this.at(point);
    const known = this.derived.get(point)?.get(host);
    if (known) return this.at(known);
    const state = host === point.host ? point.state : (point.others(host) ?? emptyState);
    const made = { ...point, host, state, delegate: undefined };
    this.derived.set(point, new Map([...(this.derived.get(point) ?? []), [host, made]]));
    return this.at(made);
  }

  /**
   * Reads vars_files whose names are templates; those of literal ones were read when the playbook was. Once for what
   * is known of the host: other facts may name other files.
   */
  checkVarsFiles(point: EvalPoint): void {
    const { play, state, host } = point;
    if (!play.varsFiles.some(isTemplated)) return;
    const done = this.checkedVarsFiles.get(state.facts) ?? new Set<string>();
    const place = JSON.stringify([play.id, host]);
    if (done.has(place)) return;
    this.varsFiles(point, this.host(host));
    this.checkedVarsFiles.set(state.facts, done.add(place));
  }

  /** Counts the changes of the inventory. */
  get version(): number {
    return this.settings.inventory.version;
  }

  isFile(path: string): boolean {
    return this.settings.sources.isFile(path);
  }

  host(name: string): Host {
    return this.settings.inventory.host(name) ?? unlisted(name);
  }

  private make(point: EvalPoint, host: Host): LayeredScope {
    const scope: LayeredScope = new LayeredScope(
      this.allLayers(point, host, () => scope),
      this.envAt(point),
    );
    return scope;
  }

  private allLayers(point: EvalPoint, host: Host, self: () => LayeredScope): Layer[] {
    const magic = magicLayer({
      ...this.placeOf(point, host),
      inPlay: true,
      hostvars: () => new HostVars(this.settings.inventory, (name) => this.ofHost(name, point)),
      vars: () => new ScopeDict(self()),
    });
    const delegated = point.delegate === undefined ? [] : [this.delegateLayer(point, point.delegate)];
    return [magic, ...pointLayers(point, host, this.tools), ...delegated, this.reachedLayer(point, host)];
  }

  private placeOf(point: EvalPoint, host: Host) {
    return { settings: this.settings, host, playDir: dirname(point.play.file), point };
  }

  /** In a delegated task the connection variables that the host itself does not define are the delegate's. */
  private delegateLayer(point: EvalPoint, delegate: string): Layer {
    return {
      find: (name) => {
        if (!connectionVars.has(name)) return undefined;
        const value = this.as(delegate, point).get(name);
        return value === undefined ? undefined : { layer: `a variable of the delegate ${delegate}`, value };
      },
      names: () => [],
    };
  }

  /** Ansible defines a few connection variables for every task, whatever the inventory says. */
  private reachedLayer({ play }: EvalPoint, host: Host): Layer {
    const layers = this.reached.get(play) ?? new Map<string, Layer>();
    this.reached.set(play, layers);
    const key = `${host.implicit === true} ${host.name}`;
    const layer = layers.get(key) ?? this.howReached(play, host);
    layers.set(key, layer);
    return layer;
  }

  private howReached(play: EvalPoint['play'], host: Host): Layer {
    const user = play.keywords.remoteUser?.value ?? this.settings.target?.user;
    const values = new Map<string, Value>([
      ['ansible_host', host.name],
      ['ansible_ssh_host', host.name],
      ['ansible_connection', host.implicit ? 'local' : 'ssh'],
      ...(typeof user === 'string'
        ? ([
            ['ansible_user', user],
            ['ansible_ssh_user', user],
          ] as [string, Value][])
        : []),
    ]);
    return valuesLayer('how the host is reached', values) as Layer;
  }

  private ofHost(name: string, point: EvalPoint): LayeredScope {
    const scopes = this.ofHosts.get(point) ?? new Map<string, LayeredScope>();
    this.ofHosts.set(point, scopes);
    const known = scopes.get(name);
    if (known) return known;
    const host = this.host(name);
    const state = () => (name === point.host ? point.state : (point.others(name) ?? emptyState));
    const magic = magicLayer({ ...this.placeOf(point, host), inPlay: false, hostvars: () => null, vars: () => null });
    const made = new LayeredScope([magic, ...hostLayers(state, host, point.play, this.tools)], this.envAt(point));
    scopes.set(name, made);
    return made;
  }

  /** The environment of a scope: its lookups know the point. */
  private envAt(point: EvalPoint): (scope: LayeredScope) => PlacedEnvironment {
    const { randomAt } = this.settings;
    return (scope) => {
      const place: LookupPlace = {
        scope,
        settings: this.settings,
        point,
        template: (path, vars) => this.template(path, vars, scope),
      };
      return { ...this.env, lookups: lookupsAt(place), ...(randomAt ? randomPlaces(randomAt, point) : {}) };
    };
  }

  lookupPlace(point: EvalPoint): LookupPlace {
    const scope = this.at(point);
    return { scope, settings: this.settings, point, template: (path, vars) => this.template(path, vars, scope) };
  }

  private template(path: string, vars: ReadonlyMap<string, Value>, scope: LayeredScope): Value {
    const { sources } = this.settings;
    const source = sources.bytes(path).toString('utf8');
    const inner = vars.size === 0 ? scope : scope.above(valuesLayer('template_vars', vars) as Layer);
    const parsed = parseTemplate(source, {}, { name: sources.show(path) });
    return within(
      inner.env,
      () => path,
      () => render(parsed, inner, inner.env),
    );
  }

  private varsFiles(point: EvalPoint, host: Host): readonly Node[] {
    if (point.play.varsFiles.length === 0) return [];
    return varsFilesNodes(point, host, this.tools, this.envAt(point));
  }
}

/** A name nobody listed: add_host may come later, delegate_to takes any name. */
function unlisted(name: string): Host {
  if (name === '') throw new TaskFailure('the name of a host is empty');
  return { name, origin: { file: '(delegate_to)', line: 1, column: 1 }, groups: new Set(), vars: new Map() };
}

"""Word classes of paper prose that several readers need. Closed classes only: names of methods and data sets live in the lexicon."""

from __future__ import annotations

GREEK = frozenset(
    "alpha beta gamma delta epsilon eps zeta eta theta kappa lambda lam mu nu xi pi rho sigma tau phi chi psi omega".split()
)

PREPOSITIONS = frozenset(
    "a an the of in on at to for from by with within without via using over under per between across during after "
    "before into onto through as than then and or but nor so if when where while which that this these those each "
    "every all both either neither its their his our we it they is are was were be been being has have had do does "
    "did can could may might will would should must not no only also e.g. i.e. etc. vs. vs versus et al. cf. w.r.t. "
    "resp. up about against along around because due given such same other another any some most more less least "
    "fewer until toward towards upon whose there here out off once first".split()
)

VERBS = frozenset(
    "use uses used apply applies applied set sets compute computes computed train trains trained evaluate evaluates "
    "evaluated compare compares compared measure measures measured report reports reported run runs perform performs "
    "performed follow follows followed include includes included consist consists contain contains sample samples "
    "sampled select selects selected generate generates generated produce produces produced update updates updated "
    "initialize initializes initialized defined define defines add adds added remove removes removed replace replaces "
    "replaced obtain obtains obtained take takes taken keep keeps kept get gets given show shows shown test tests "
    "tested varies vary varied feed feeds fed store stores stored hold holds held collect collects collected start "
    "starts started starting repeat repeats repeated execute executes executed scale scaled let denote denotes "
    "denoted where assign assigned draw drawn draws operate operates operating combine combines combined maps map "
    "learn learns conduct conducts conducted demonstrate demonstrates plot plots plotted visualize visualizes "
    "visualized implement implemented ensure ensures enable enables enabled require requires required provide "
    "provides provided make makes made represent represents represented decay decayed decays normalized clipped clip "
    "initialised increase increases increased decrease decreases decreased reduce reduces reduced fix fixed equals "
    "equal constitute constitutes denoise denoises iterate iterates load loads loaded construct constructs "
    "constructed extract extracts extracted freeze freezes frozen optimize optimizes optimized minimize minimizes "
    "minimized maximize maximizes maximized estimate estimates estimated fit fits fitted split splits shuffle "
    "shuffled feeding concatenate concatenated append appends form forms sort sorts sorted return returns predict "
    "predicts predicted process processes yield yields yielding receive receives received pass passes passed".split()
)

CONNECTORS = frozenset(
    "of is to at as set equal equals fixed value was be by exactly around about approximately roughly uses".split()
)

CITATION_HEADS = frozenset(
    "section sections sec. table tables figure figures fig. figs. eq. eqs. eq equation equations appendix app. lemma "
    "theorem corollary proposition definition assumption algorithm alg. chapter page line lines row rows tab. step "
    "steps phase phases stage stages part level version experiment scenario task round case protocol question layer "
    "category".split()
)

HARDWARE = frozenset(
    "gpu gpus a100 a100s h100 h100s v100 v100s tpu tpus cpu cpus nvidia rtx gb gib tb mb hour hours hrs day days vram "
    "nvlink infiniband wall-clock cores node nodes machines flops gflops tflops minutes weeks ms usd dollars".split()
)

RESULTS = frozenset(
    "outperform outperforms outperformed outperforming achieve achieves achieved achieving improve improves improved "
    "improving surpass surpasses exceed exceeds attains attain attained obtains underperforms underperform degrades "
    "yields yielding reaches reached demonstrating showing shows confirming conclude concludes conclusion indicating "
    "suggests suggesting validating verifying matches matching faster slower converges diverges gains wins beats".split()
)

RESULT_HEADS = frozenset(
    "results result conclusion purpose finding findings key-insight insight insights takeaway motivation note notes".split()
)

MOTIVES = frozenset(
    "because since thus hence therefore ensures ensuring enabling enables allowing preventing prevents avoiding "
    "reflecting motivated designed intended inspired purpose whereas although despite unlike".split()
)

QUANTITIES = frozenset(
    "rate size dim dimension dimensions dimensionality depth width weight weights coefficient coef ratio length "
    "number count rank temperature epsilon level threshold factor probability prob fraction momentum decay dropout "
    "seed lr wd bs cfg radius scale budget capacity resolution stride padding kernel frequency interval period window "
    "horizon bound margin bias std variance mean noise height channels clip warmup eps gamma beta betas alpha lambda "
    "tau delta sigma theta mu nu eta kappa rho percentile quantile multiplier limit batch maximum minimum max min "
    "norm tolerance patience timescale offset penalty discount value step-size bandwidth base".split()
)

GENERIC = frozenset(
    "size rate weight weights dimension dim number value coefficient factor length ratio level parameter parameters "
    "constant threshold scale step steps model models data dataset datasets method methods approach training test "
    "train experiment experiments configuration config setting settings strategy framework implementation total "
    "default paper standard main experimental analysis study protocol evaluation comparison baseline baselines metric "
    "metrics performance results setup task tasks procedure pipeline process function mechanism module component "
    "components".split()
)

COUNTED_ENTITIES = frozenset(
    "datasets tasks benchmarks methods baselines experiments metrics variants models families conditions types "
    "categories configurations settings strategies approaches ablations studies systems groups ways terms stages "
    "phases scenarios domains parameters params components modules losses countries papers sections regimes "
    "objectives".split()
)

DATA_UNITS = frozenset(
    "images image videos video documents masks masklets pairs preference votes puzzles frames articles sentences "
    "annotations instances examples samples train val test".split()
)

SCORES = frozenset("ppl accuracy acc fid gfid rfid bleu rouge mmlu f1 auroc auc miou psnr ssim perplexity win-rate".split())

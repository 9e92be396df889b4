// What C++ programs use of their library: streams, containers, algorithms, regular expressions,
// exceptions, threads, smart pointers, run-time types, objects of static life.
#include <algorithm>
#include <atomic>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
struct Circle : Shape {
    explicit Circle(double radius) : radius(radius) {}
    double area() const override { return 3.25 * radius * radius; }
    double radius;
};
struct Square : Shape {
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
    double side;
};

struct Noted {
    explicit Noted(std::string name) : name(std::move(name)) { std::cout << "+" << this->name << ' '; }
    ~Noted() { std::cout << "-" << name << ' '; }
    std::string name;
};
const Noted global("global");

struct Refused : std::runtime_error {
    explicit Refused(int value) : std::runtime_error("refused " + std::to_string(value)), value(value) {}
    int value;
};

int checked(int value) {
    Noted inner("n" + std::to_string(value));
    if (value % 3 == 0) throw Refused(value);
    if (value % 5 == 0) throw value;
    return value;
}

void exceptions() {
    int sum = 0;
    for (int i = 1; i <= 10; i++) {
        try {
            try {
                sum += checked(i);
            } catch (const std::logic_error &) {
                sum += 1000000;
            }
        } catch (const Refused &refused) {
            sum += 100 * refused.value;
            std::cout << '[' << refused.what() << "] ";
        } catch (...) {
            sum += 10000;
        }
    }
    std::cout << sum << '\n';
    try {
        std::vector<int>(3).at(7) = 1;
    } catch (const std::out_of_range &) {
        std::cout << "out of range\n";
    }
}

void containers() {
    std::map<std::string, std::vector<int>> lengths;
    std::istringstream words("a map of words to where they are in a text of words");
    int place = 0;
    for (std::string word; words >> word;) lengths[word].push_back(place++);
    for (const auto &[word, places] : lengths) {
        std::cout << word << ':';
        for (int it : places) std::cout << ' ' << it;
        std::cout << "; ";
    }
    std::unordered_map<long, long> collatz;
    long longest = 0;
    for (long start = 1; start < 30000; start++) {
        long steps = 0;
        for (long n = start; n != 1 && (n >= start || !collatz.count(n)); steps++) n = n % 2 ? 3 * n + 1 : n / 2;
        collatz[start] = steps;
        longest = std::max(longest, steps);
    }
    std::vector<double> values(20000);
    std::iota(values.begin(), values.end(), 1.0);
    std::sort(values.begin(), values.end(), [](double a, double b) { return long(a * 7919) % 1009 < long(b * 7919) % 1009 || (long(a * 7919) % 1009 == long(b * 7919) % 1009 && a < b); });
    std::cout << longest << ' ' << std::fixed << std::setprecision(2) << values[5] << ' ' << std::accumulate(values.begin(), values.end(), 0.0) << '\n';
}

void text() {
    const std::regex date(R"((\d{4})-(\d\d)-(\d\d))");
    const std::string log = "from 2023-01-31 to 2024-02-29, never 24-1-1";
    for (std::sregex_iterator it(log.begin(), log.end(), date), end; it != end; ++it) std::cout << (*it)[3] << '.' << (*it)[2] << '.' << (*it)[1] << ' ';
    std::cout << std::regex_replace(log, date, "<$1>") << '\n';
    std::ostringstream out;
    out << std::hex << std::setw(6) << std::setfill('0') << 0xbeef << ' ' << std::scientific << 12345.678 << ' ' << std::boolalpha << true;
    std::cout << out.str() << ' ' << std::stod("1.5e3") + std::stoi("0x1f", nullptr, 16) << '\n';
}

void objects() {
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 1; i < 5; i++) {
        if (i % 2) shapes.push_back(std::make_unique<Circle>(i));
        else shapes.push_back(std::make_unique<Square>(i));
    }
    double area = 0;
    int circles = 0;
    for (const auto &shape : shapes) {
        area += shape->area();
        circles += dynamic_cast<const Circle *>(shape.get()) != nullptr;
    }
    std::variant<int, std::string> either = "text";
    std::function<int(int)> twice = [area](int n) { return n * 2 + int(area); };
    auto shared = std::make_shared<int>(7);
    std::weak_ptr<int> weak = shared;
    shared.reset();
    std::cout << area << ' ' << circles << ' ' << std::get<std::string>(either) << ' ' << twice(4) << ' ' << weak.expired() << '\n';
}

void threads() {
    std::atomic<long> count{0};
    std::mutex mutex;
    std::map<long, long> seen;
    std::vector<std::thread> workers;
    std::exception_ptr failure;
    for (long worker = 0; worker < 4; worker++)
        workers.emplace_back([&, worker] {
            for (long i = 0; i < 5000; i++) {
                count += i % 3;
                if (i % 500 == worker) {
                    std::lock_guard<std::mutex> lock(mutex);
                    seen[i % 10] += i;
                }
            }
            try {
                if (worker == 2) throw Refused(2);
            } catch (...) {
                failure = std::current_exception();
            }
        });
    for (auto &worker : workers) worker.join();
    std::cout << count << ' ' << seen.size() << ' ' << seen[3] << ' ';
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception &error) {
        std::cout << error.what() << '\n';
    }
}

} // namespace

int main() {
    static Noted local("local");
    exceptions();
    containers();
    text();
    objects();
    threads();
}
